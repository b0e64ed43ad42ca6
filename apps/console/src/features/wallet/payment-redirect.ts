interface Payment {
  url: string
  /** Fields of the form, for POST. */
  data: Record<string, string>
  method: 'POST' | 'GET'
}

/** Opens the payment page. The browser reports a blocked form only after it was sent. */
export function openPaymentPage({ url, data, method }: Payment, onBlocked: () => void): void {
  const address = webAddress(url)
  if (address === '') throw new Error('The payment page has no address.')
  if (method === 'GET') {
    window.location.assign(address)
    return
  }
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = address
  form.hidden = true
  for (const [name, value] of Object.entries(data)) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.addEventListener('securitypolicyviolation', function listen({ effectiveDirective }) {
    if (effectiveDirective !== 'form-action') return
    document.removeEventListener('securitypolicyviolation', listen)
    onBlocked()
  })
  document.body.append(form)
  // A field named `submit` would hide form.submit().
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}

/** The URL if it is a web page; otherwise blank. */
export function webAddress(value: string): string {
  const text = value.trim()
  if (text === '' || !URL.canParse(text, window.location.origin)) return ''
  const { protocol, href } = new URL(text, window.location.origin)
  return protocol === 'https:' || protocol === 'http:' ? href : ''
}
