// The slot that this remote offers to other remotes.
declare module '@wattle/sdk' {
  interface Slots {
    /** Above the sections of the account page. */
    'account.top': object;
  }
}

export {};
