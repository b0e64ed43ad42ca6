/** The part of a structured logger that storage uses; compatible with pino. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
