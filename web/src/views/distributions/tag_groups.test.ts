// Groups of tags in the Distributions view.
import { describe, expect, it } from "vitest";
import { groupTags, partsOf, sameLayer } from "./tag_groups";

const tags = ["weights/out/bias", "weights/out/kernel", "activations/b10", "activations/b2", "activations/out", "val/activations/out", "my/histogram", "gradients/b2/kernel"];

describe("tags", () => {
  it("are taken apart into group and name", () => {
    expect(partsOf("val/activations/block/conv")).toEqual({ tag: "val/activations/block/conv", group: "val/activations", name: "block/conv" });
    expect(partsOf("my/histogram").group).toBe("other");
  });
  it("come in the order of the graph, kernels before biases, groups as the Network view has them", () => {
    const groups = groupTags(tags, ["out", "b2"]);
    expect(groups.map((group) => group.group)).toEqual(["activations", "gradients", "weights", "val/activations", "other"]);
    expect(groups[0]?.tags.map((tag) => tag.name)).toEqual(["out", "b2", "b10"]);
    expect(groups[2]?.tags.map((tag) => tag.name)).toEqual(["out/kernel", "out/bias"]);
    expect(groups[3]?.label).toBe("Val activations");
  });
  it("lose none and double none", () => {
    expect(groupTags([...tags, ...tags], []).flatMap((group) => group.tags)).toHaveLength(tags.length);
  });
  it("keep the layer when the group changes", () => {
    const [activations, gradients] = groupTags(tags, []);
    expect(gradients && sameLayer(gradients, "b2")).toBe("gradients/b2/kernel");
    expect(activations && sameLayer(activations, "b2/kernel")).toBe("activations/b2");
    expect(gradients && sameLayer(gradients, "out")).toBe("gradients/b2/kernel");
  });
});
