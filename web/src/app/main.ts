// Where the page begins.
import "./tokens.css";
import "./base.css";
import { mount } from "svelte";
import { followAddress } from "$state/address.svelte";
import { followServer } from "$state/live.svelte";
import { loadPreferences } from "$state/preferences.svelte";
import App from "./App.svelte";

followAddress();
followServer();
void loadPreferences();
// Another tab or browser may have changed them meanwhile.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void loadPreferences();
});
mount(App, { target: document.body });
