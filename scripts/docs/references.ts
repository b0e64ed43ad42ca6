import { protocolsPage } from '../../e2e/protocol/matrix/protocols-page.ts'
import { apiPages } from './api-pages.ts'
import { apiReference } from './api-reference.ts'
import { codeMap, codeMapPicture } from './code-map/code-map.ts'
import { decisionReference } from './decision-reference.ts'
import { errorReference } from './error-reference.ts'
import { optionReference } from './option-reference.ts'
import { vendorReference } from './provider-reference.ts'

/** Pages made from the contract, the vendors, the sources and what tests are played by, by their path. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
  'docs/images/code-map.svg': codeMapPicture,
  'docs/protocols.md': protocolsPage,
  'docs/reference/api.md': apiReference,
  ...apiPages(),
  'docs/reference/code-map.md': codeMap,
  'docs/reference/decisions.md': decisionReference,
  'docs/reference/errors.md': errorReference,
  'docs/reference/options.md': optionReference,
  'docs/vendors.md': vendorReference,
}
