const ALLOWED = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'

/** A page from here that kept its origin could take off its own sandbox; pages of others need theirs to be told things. */
export function sandboxFor(address: URL): string {
  return address.origin === window.location.origin ? ALLOWED : `${ALLOWED} allow-same-origin`
}
