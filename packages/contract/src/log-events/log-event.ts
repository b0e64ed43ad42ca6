/** An event that the server logs. Operators alert on its code. */
export interface LogEvent {
  readonly level: 'info' | 'warn' | 'error'
  /** The constant message of the log line. */
  readonly message: string
  readonly meaning: string
  /** What to do; missing where nothing needs to be done. */
  readonly action?: string
}
