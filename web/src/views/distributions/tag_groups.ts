// Tags of distributions in groups (activations, gradients, ...), in the order of the graph within each.

const known = ["activations", "gradients", "weights", "updates", "clipped_gradients", "activation_gradients", "input_gradients", "slots"];
const pattern = new RegExp(`^(?:(.+)/)?(${known.join("|")})/(.+)$`);
export const otherGroup = "other";

/** A tag taken apart: "val/activations/conv" is "conv" of the group "val/activations". */
export interface TagParts {
  readonly tag: string;
  readonly group: string;
  readonly name: string;
}

export function partsOf(tag: string): TagParts {
  const [, before, part, name] = pattern.exec(tag) ?? [];
  if (part === undefined || name === undefined) return { tag, group: otherGroup, name: tag };
  return { tag, group: before === undefined ? part : `${before}/${part}`, name };
}

export interface TagGroup {
  readonly group: string;
  readonly label: string;
  readonly tags: readonly TagParts[];
}

function labelOf(group: string): string {
  const words = group.replaceAll("_", " ").replaceAll("/", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const rank = (group: string): number => {
  const at = known.indexOf(group);
  return at >= 0 ? at : group === otherGroup ? 200 : 100;
};

/** `order` lists layer paths as the graph has them; what it does not know comes last, by name. */
export function groupTags(tags: readonly string[], order: readonly string[]): TagGroup[] {
  const places = new Map(order.map((path, i) => [path, i] as const));
  const placeOf = (name: string): number => {
    // A variable belongs to the longest layer path that begins its name.
    for (let path = name.replace(/[#:@].*$/, ""); path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/")))) {
      const at = places.get(path);
      if (at !== undefined) return at;
    }
    return order.length;
  };
  const collator = new Intl.Collator("en", { numeric: true });
  const groups = new Map<string, TagParts[]>();
  for (const parts of [...new Set(tags)].map(partsOf)) {
    const members = groups.get(parts.group);
    if (members) members.push(parts);
    else groups.set(parts.group, [parts]);
  }
  // A kernel comes before its bias.
  const kernelFirst = (name: string) => (name.endsWith("/kernel") ? 0 : 1);
  return [...groups]
    .map(([group, members]) => ({
      group,
      label: labelOf(group),
      tags: members.sort((a, b) => placeOf(a.name) - placeOf(b.name) || kernelFirst(a.name) - kernelFirst(b.name) || collator.compare(a.name, b.name)),
    }))
    .sort((a, b) => rank(a.group) - rank(b.group) || collator.compare(a.group, b.group));
}

/** The tag of another group that belongs to the same layer, or that group's first. */
export function sameLayer(group: TagGroup, name: string): string {
  const exact = group.tags.find((one) => one.name === name);
  const child = group.tags.find((one) => one.name.startsWith(`${name}/`));
  const parent = group.tags.find((one) => name.startsWith(`${one.name}/`));
  return (exact ?? child ?? parent ?? group.tags[0])?.tag ?? "";
}
