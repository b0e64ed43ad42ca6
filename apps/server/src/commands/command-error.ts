/** An error that the user of a command can fix. Only its message is printed. */
export class CommandError extends Error {
  override readonly name = 'Mistake'
}

/** Adds the file name to an error. */
export function throwFileError(file: string) {
  return (error: Error): never => {
    throw new CommandError(`${file}: ${error.message}`)
  }
}
