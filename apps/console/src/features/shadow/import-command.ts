/** Brings the log of the old gateway over, and what is new in it when it is run again. */
export const IMPORT_COMMAND = 'tidegate import --from sqlite:./one-api.db --logs --yes'
