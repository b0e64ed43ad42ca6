/** Images sold by the piece, in USD. */
export const imagePrices: Readonly<Record<string, number>> = {
  'imagen-3.0-fast-generate-001': 0.02,
  'imagen-3.0-generate-001': 0.04,
  'imagen-4.0-fast-generate-001': 0.02,
  'imagen-4.0-generate-001': 0.04,
  'imagen-4.0-ultra-generate-001': 0.06,
}
