/** The fields of a generateContent request that the fake reads. */
export interface GeminiRequest {
  contents?: readonly GeminiContent[]
  systemInstruction?: { parts?: readonly GeminiPart[] }
  tools?: readonly { functionDeclarations?: readonly FunctionDeclaration[]; [hosted: string]: unknown }[]
  toolConfig?: { functionCallingConfig?: { mode?: string; allowedFunctionNames?: readonly string[] } }
  generationConfig?: GenerationConfig
  [member: string]: unknown
}

export interface GenerationConfig {
  maxOutputTokens?: number
  stopSequences?: readonly string[]
  responseMimeType?: string
  responseSchema?: unknown
  responseJsonSchema?: unknown
  thinkingConfig?: { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: string }
  [member: string]: unknown
}

export interface FunctionDeclaration {
  name?: string
  description?: string
  parameters?: unknown
  parametersJsonSchema?: unknown
  [member: string]: unknown
}

export interface GeminiContent {
  role?: string
  parts?: readonly GeminiPart[]
}

export interface GeminiPart {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  inlineData?: { mimeType?: string; data?: string }
  fileData?: { mimeType?: string; fileUri?: string }
  functionCall?: { id?: string; name?: string; args?: unknown }
  functionResponse?: { id?: string; name?: string; response?: unknown; parts?: readonly GeminiPart[] }
  [member: string]: unknown
}
