import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toast } from '../../../lib/toast.ts'
import { withoutTrailingSlash, type ChannelValues } from './channel-values.ts'
import { isMasked, splitKeys } from './key-text.ts'

/** Asks the vendor what it offers: with what the form holds when a key was entered, else as the channel is stored. */
export function useFetchModels(channel?: Pick<api.ChannelDetail, 'id'>) {
  const { t } = useTranslation('channels')
  const mutation = useMutation({
    mutationFn: (values: Partial<ChannelValues>) => {
      const key = enteredKey(values)
      if (key === '') return call(api.fetchChannelModels, { params: { id: channel!.id } })
      const { type = 1, setting = '', header_override = '', base_url = '' } = values
      return call(api.fetchUpstreamModels, {
        body: { type, key, setting, header_override, base_url: withoutTrailingSlash(base_url) },
      })
    },
  })
  return {
    models: mutation.data ?? [],
    isPending: mutation.isPending,
    ask(values: Partial<ChannelValues>, onSuccess: () => void) {
      if (enteredKey(values) === '' && !channel) return toast.error(t('form.keyMissing'))
      mutation.mutate(values, {
        onSuccess(models) {
          if (models.length === 0) toast.info(t('form.noUpstreamModels'))
          else onSuccess()
        },
      })
    },
  }
}

/** A masked line is no key to ask with: the server knows what it stands for. */
function enteredKey({ type = 1, key = '' }: Partial<ChannelValues>): string {
  if (api.channelTypeOf(type)?.singleKey) return key.trim()
  return splitKeys(key).find((line) => !isMasked(line)) ?? ''
}
