// Where the page begins.
import "./tokens.css";
import "./base.css";
import { mount } from "svelte";
import { address, followAddress } from "$state/address.svelte";
import { followServer } from "$state/live.svelte";
import { loadPreferences } from "$state/preferences.svelte";
import App from "./App.svelte";
import { viewById } from "./views";

followAddress();
// The code of the view in front comes while the shell is made and the catalog is on its way; a failure is shown when
// ViewFrame needs it.
viewById(address.view)?.load().catch(() => undefined);
followServer();
void loadPreferences();
// Another tab or browser may have changed them meanwhile.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void loadPreferences();
});
mount(App, { target: document.body });
