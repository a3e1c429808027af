// What runs can be grouped by.
import { hparams } from "$state/hparams.svelte";
import type { Option } from "$widgets/options";

export function groupOptions(): Option[] {
  return [
    { value: "none", label: "none" },
    { value: "prefix", label: "name" },
    { value: "state", label: "state" },
    ...hparams.names.map((name) => ({ value: `param:${name}`, label: name })),
  ];
}
