/** An amount in its currency: `¥73.00`, `US$10.00`. */
export function formatPrice(money: string, currency: string, language: string | undefined): string {
  try {
    // `Intl` rounds some currencies to whole units that payment providers charge in hundredths, such as HUF.
    const decimals = money.endsWith('.00') ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    return new Intl.NumberFormat(language, { style: 'currency', currency, ...decimals }).format(Number(money))
  } catch {
    return `${money} ${currency}` // not a code of three letters
  }
}
