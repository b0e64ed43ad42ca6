// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
export const piecePrices: Readonly<Record<string, number>> = {
  'gemini-2.0-flash-exp-image-generation': 0.039,
  'imagen-3.0-fast-generate-001': 0.02,
  'imagen-3.0-generate-001': 0.04,
  'imagen-3.0-generate-002': 0.04,
  'imagen-4.0-fast-generate-001': 0.02,
  'imagen-4.0-generate-001': 0.04,
  'imagen-4.0-ultra-generate-001': 0.06,
  'rerank-english-v2.0': 0.002,
  'rerank-english-v3.0': 0.002,
  'rerank-multilingual-v2.0': 0.002,
  'rerank-multilingual-v3.0': 0.002,
  'rerank-v3.5': 0.002,
}
