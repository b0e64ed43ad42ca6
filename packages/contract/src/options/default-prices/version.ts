// Made by scripts/price-catalogue.ts from public-prices.jsonl: change that, not this.
export const DEFAULT_PRICES_VERSION = '2026.11.2'
