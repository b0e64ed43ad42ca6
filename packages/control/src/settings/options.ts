import { defaultOptionText, OPTION_KEYS, optionDefinition, type api, type Settings } from '@tidegate/contract'

/** What a form has to know of every option, in the order of the settings page. No value of a secret is in it. */
export function describeOptions(settings: Settings): api.OptionFacts[] {
  return OPTION_KEYS.map((key) => {
    const { kind, tab, section, secret, choices = [], limits, format } = optionDefinition(key)
    const isSet = format(settings[key]) !== ''
    return {
      key,
      kind,
      tab,
      section,
      default: secret ? '' : defaultOptionText(key),
      choices: [...choices],
      ...limits,
      secret,
      is_set: isSet,
    }
  })
}
