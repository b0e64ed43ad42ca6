/** Groups of three digits, and back to what the field stands for. */
export const groupDigits = (value: number | string | undefined): string =>
  String(value ?? '').replace(/\B(?=(\d{3})+(?!\d))/g, ',')

export const ungroupDigits = (text: string | undefined): number | string => (text ?? '').replaceAll(',', '').trim()
