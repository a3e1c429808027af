// The schema in both dialects. That the databases accept it is shown by sqlite_sink_test and tests/database.
#include "database/schema_sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tensortap::database {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(SchemaSql, EveryTableHasItsPlaceAndAViewOfAnotherName) {
  ASSERT_EQ(tables().size(), kTableCount);
  EXPECT_EQ(table_of(TableId::kScalars).name, "scalar_rows");
  EXPECT_EQ(table_of(TableId::kHparams).view, "hparams");
  std::set<std::string_view> names;
  for (const Table& table : tables()) {
    names.insert(table.name);
    names.insert(table.view);
  }
  EXPECT_EQ(names.size(), 2 * kTableCount);
}

TEST(SchemaSql, EveryKeyIsAColumn) {
  for (const Table& table : tables()) {
    for (std::string_view key : table.key) {
      EXPECT_THAT(table.columns, Contains(testing::Field(&Column::name, key))) << table.name;
    }
  }
}

TEST(SchemaSql, TypesAreThoseOfTheDialect) {
  const auto sqlite = create_statements(Dialect::kSqlite);
  const auto postgresql = create_statements(Dialect::kPostgresql);
  EXPECT_THAT(sqlite, Contains(HasSubstr("wall_time REAL, value REAL, PRIMARY KEY (run_id, tag_id, sequence)) "
                                         "WITHOUT ROWID")));
  EXPECT_THAT(postgresql, Contains(HasSubstr("value DOUBLE PRECISION NOT NULL")));
  EXPECT_THAT(postgresql, Contains(HasSubstr("output DOUBLE PRECISION[], ")));
  EXPECT_THAT(postgresql, Contains(HasSubstr("npy BYTEA NOT NULL")));
}

TEST(SchemaSql, CapturesAreIndexedByRunTagAndStep) {
  EXPECT_THAT(create_statements(Dialect::kPostgresql),
              Contains("CREATE INDEX IF NOT EXISTS stat_rows_by_step ON stat_rows (run_id, tag_id, step)"));
}

TEST(SchemaSql, StatementsNameEveryColumn) {
  const Table& tags = table_of(TableId::kTags);
  EXPECT_EQ(insert_statement(tags), "INSERT INTO tag_rows (run_id, tag_id, name) VALUES (?, ?, ?)");
  EXPECT_EQ(copy_statement(tags), "COPY tensortap.tag_rows (run_id, tag_id, name) FROM STDIN (FORMAT binary)");
}

TEST(SchemaSql, AnEndIsInTheWordsOfTheDialect) {
  const RunEnd end{1.5, false, 10, 3};
  EXPECT_EQ(close_statement(Dialect::kSqlite, 7, end),
            "UPDATE run_rows SET closed = 1.5, success = 0, offered = 10, dropped = 3 WHERE run_id = 7");
  EXPECT_EQ(close_statement(Dialect::kPostgresql, 7, end),
            "UPDATE tensortap.run_rows SET closed = 1.5, success = false, offered = 10, dropped = 3 WHERE run_id = 7");
}

}  // namespace
}  // namespace tensortap::database
