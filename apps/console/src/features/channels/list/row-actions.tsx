import { CHANNEL_STATUS, UNTESTABLE_TYPES, type Channel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { RowButton } from '../../../ui/row-button.tsx'
import styles from '../channels.module.css'
import { modelsOf } from './cells.tsx'
import { useActions } from './channel-actions.ts'
import { useBusy } from '../../../ui/use-busy.ts'

export function ChannelActionButtons({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const actions = useActions()
  const { busy, run } = useBusy<'test' | 'status' | 'copy'>()
  const { id, name } = channel
  const isEnabled = channel.status === CHANNEL_STATUS.enabled
  const test = (model?: string) => run('test', () => actions.test(channel, model))
  return (
    <span className={styles.actions}>
      {!UNTESTABLE_TYPES.has(channel.type) && (
        <span className={styles.split}>
          <RowButton outlined busy={busy === 'test'} label={t('testOne', { name })} onClick={() => test()}>
            {t('testIt')}
          </RowButton>
          <MenuButton
            outlined
            label={t('chooseModelOf', { name })}
            items={() => [
              ...modelsOf(channel)
                .slice(0, FEW_MODELS)
                .map((model) => ({
                  key: `model:${model}`,
                  label: <span className="mono">{model}</span>,
                  onClick: () => test(model),
                })),
              { type: 'divider' as const },
              { key: 'all', label: t('testModels'), onClick: () => actions.open('test', { id }) },
            ]}
          >
            <span aria-hidden className={styles.arrow} />
          </MenuButton>
        </span>
      )}
      <RowButton
        busy={busy === 'status'}
        label={t(isEnabled ? 'disableOne' : 'enableOne', { name })}
        onClick={() => run('status', () => actions.setStatus(channel, !isEnabled))}
      >
        {t(isEnabled ? 'disable' : 'enable')}
      </RowButton>
      <RowButton main label={t('editOne', { name })} onClick={() => actions.open('edit', { id })}>
        {t('edit')}
      </RowButton>
      <MenuButton
        busy={busy === 'copy'}
        label={t('moreOf', { name })}
        items={() => [
          { key: 'copy', label: t('copy'), onClick: () => run('copy', () => actions.copy(channel)) },
          { key: 'delete', label: t('delete'), danger: true, onClick: () => actions.remove(channel) },
        ]}
      >
        <span aria-hidden>···</span>
      </MenuButton>
    </span>
  )
}

/** As many as a menu can hold; the dialog has them all. */
const FEW_MODELS = 12

/** Actions on all channels of a tag. Channels without one have only actions of their own. */
export function TagActionButtons({ tag }: { tag: string }) {
  const { t } = useTranslation('channels')
  const actions = useActions()
  const { busy, run } = useBusy<'on' | 'off'>()
  if (tag === '') return null
  return (
    <span className={styles.actions}>
      <RowButton
        outlined
        busy={busy === 'on'}
        label={t('tag.enableOf', { tag })}
        onClick={() => run('on', () => actions.setTagStatus(tag, true))}
      >
        {t('tag.enable')}
      </RowButton>
      <RowButton
        outlined
        busy={busy === 'off'}
        label={t('tag.disableOf', { tag })}
        onClick={() => run('off', () => actions.setTagStatus(tag, false))}
      >
        {t('tag.disable')}
      </RowButton>
      <RowButton main label={t('tag.editOf', { tag })} onClick={() => actions.open('tag', { tag })}>
        {t('edit')}
      </RowButton>
    </span>
  )
}
