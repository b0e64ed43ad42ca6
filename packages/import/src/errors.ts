/** Something that whoever typed the command can put right. */
export class Mistake extends Error {
  override readonly name = 'Mistake'
}
