// What can be chosen in segments, selects and menus.

export interface Option {
  value: string;
  label: string;
  title?: string;
  disabled?: boolean;
}

// One line of a menu: a link when it has an address, else a button.
export interface MenuItem {
  label: string;
  href?: string;
  // The file name of a download.
  download?: string;
  onclick?: () => void;
  // Shown at the right end.
  hint?: string;
  checked?: boolean;
}
