// The heads of a table as a tree of ArrowSchema structs, each of which owns what it points to.
#include "format/arrow_schema.h"

#include <memory>
#include <string>
#include <utility>

namespace tensortap::format {
namespace {

// What a struct's private_data points to. Children live here until somebody moves them out, which leaves their
// release() null.
struct SchemaNode {
  std::string format;
  std::string name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary{};

  ~SchemaNode() {
    for (ArrowSchema& child : children) {
      if (child.release != nullptr) child.release(&child);
    }
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }
};

void release_schema(ArrowSchema* schema) {
  delete static_cast<SchemaNode*>(schema->private_data);
  schema->release = nullptr;
}

void give(std::unique_ptr<SchemaNode> node, bool nullable, ArrowSchema* out) {
  for (ArrowSchema& child : node->children) node->child_pointers.push_back(&child);
  *out = {};
  out->format = node->format.c_str();
  out->name = node->name.c_str();
  out->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
  out->n_children = static_cast<std::int64_t>(node->children.size());
  out->children = node->child_pointers.data();
  out->dictionary = node->dictionary.release != nullptr ? &node->dictionary : nullptr;
  out->release = release_schema;
  out->private_data = node.release();
}

std::unique_ptr<SchemaNode> make_node(const char* format, std::string name) {
  auto node = std::make_unique<SchemaNode>();
  node->format = format;
  node->name = std::move(name);
  return node;
}

const char* format_of(ColumnType type) {
  switch (type) {
    case ColumnType::kInt64: return "l";
    case ColumnType::kUint64: return "L";
    case ColumnType::kFloat64: return "g";
    case ColumnType::kText: return "U";
    case ColumnType::kWord: return "i";
    case ColumnType::kFloat64List: return "+L";
    case ColumnType::kTimestamp: return "tsu:UTC";
    case ColumnType::kBinary: return "Z";
  }
  return "n";
}

void give_column(const ColumnHead& head, ArrowSchema* out) {
  auto node = make_node(format_of(head.type), head.name);
  if (head.type == ColumnType::kWord) give(make_node("u", ""), false, &node->dictionary);
  if (head.type == ColumnType::kFloat64List) {
    node->children.resize(1);
    give(make_node("g", "item"), true, node->children.data());  // as everybody else declares lists
  }
  // A time that is not finite is null, whatever the head says.
  give(std::move(node), head.nullable || head.type == ColumnType::kTimestamp, out);
}

}  // namespace

void export_arrow_schema(const std::vector<ColumnHead>& heads, ArrowSchema* out) {
  auto node = make_node("+s", "");
  node->children.resize(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) give_column(heads[i], &node->children[i]);
  give(std::move(node), false, out);
}

}  // namespace tensortap::format
