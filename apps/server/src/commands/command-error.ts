/** Something that whoever typed the command can put right: its message is all they need to see. */
export class CommandError extends Error {
  override readonly name = 'Mistake'
}

/** For errors of files: says which. */
export function throwFileError(file: string) {
  return (error: Error): never => {
    throw new CommandError(`${file}: ${error.message}`)
  }
}
