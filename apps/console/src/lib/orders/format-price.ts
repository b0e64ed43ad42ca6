/** What is paid, in the currency it is paid in: `¥73.00`, `US$10.00`. */
export function formatPrice(money: string, currency: string, language: string | undefined): string {
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(money))
  } catch {
    return `${money} ${currency}` // no code of three letters
  }
}
