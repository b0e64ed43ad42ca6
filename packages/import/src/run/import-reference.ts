/** Names the cause of the one movement that brings a balance along; no account gets two of them. */
export const IMPORT_REFERENCE = 'import'
