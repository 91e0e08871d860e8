// The slot of the account remote that this remote fills.
declare module '@wattle/sdk' {
  interface Slots {
    /** Above the sections of the account page. */
    'account.top': object;
  }
}

export {};
