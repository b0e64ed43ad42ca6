/** An error that the user of the command can correct. */
export class InputError extends Error {
  override readonly name = 'Mistake'
}
