import { protocolsPage } from '../../e2e/protocol/matrix/write-page.ts'
import { apiReference } from './api-reference.ts'
import { errorReference } from './error-reference.ts'
import { optionReference } from './option-reference.ts'
import { vendorReference } from './vendor-reference.ts'

/** Pages made from the contract, the vendors and what tests are played by, by their path. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
  'docs/protocols.md': protocolsPage,
  'docs/reference/api.md': apiReference,
  'docs/reference/errors.md': errorReference,
  'docs/reference/options.md': optionReference,
  'docs/vendors.md': vendorReference,
}
