/** Something that whoever typed the command can put right: its message is all they need to see. */
export class Mistake extends Error {
  override readonly name = 'Mistake'
}

/** For errors of files: says which. */
export function mistakeWith(file: string) {
  return (error: Error): never => {
    throw new Mistake(`${file}: ${error.message}`)
  }
}
