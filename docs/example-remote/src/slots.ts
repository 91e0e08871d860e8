// Slots that this remote offers to others. Give them this file: their views are then checked against it.
declare module '@wattle/sdk' {
  interface Slots {
    /** Below the data of the heat pump. */
    'acme.pump': { name: string };
  }
}

export {};
