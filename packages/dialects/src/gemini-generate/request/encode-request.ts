import type { CanonicalRequest } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { encodeConfig } from './encode-config.ts'
import { encodeContents } from './encode-content.ts'
import { encodeTools } from './encode-tools.ts'

/** The body for Google. The model and whether to stream are in the address. */
export function encodeRequest(request: CanonicalRequest): JsonObject {
  const { contents, system } = encodeContents(request)
  const config = encodeConfig(request)
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    contents,
    ...encodeTools(request),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  }
}
