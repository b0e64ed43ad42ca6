/** Its message never holds any part of a secret. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}
