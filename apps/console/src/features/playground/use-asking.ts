import { useTranslation } from 'react-i18next'
import { ask, askAgain, askOtherwise, type AskSettings } from './chat/ask.ts'
import { usePlayground } from './conversation/store.ts'
import type { Picture } from './conversation/types.ts'
import { useOffers } from './use-offers.ts'

/** Settings with the words that the page has for what was left to it. */
export function useAskSettings(): AskSettings {
  const { t } = useTranslation('playground')
  const { max_tokens, temperature, system_prompt } = usePlayground(({ settings }) => settings)
  const { group } = useOffers()
  return { group, max_tokens, temperature, system_prompt: system_prompt ?? t('settings.systemDefault') }
}

/** Ways to ask, with the settings of the moment. */
export function useAsking() {
  const settings = useAskSettings()
  return {
    ask: (content: string, pictures: Picture[]) => ask(content, pictures, settings),
    askAgain: (turnId: string, columnId: string) => askAgain(turnId, columnId, settings),
    askOtherwise: (turnId: string, content: string) => askOtherwise(turnId, content, settings),
  }
}
