import { DeleteOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button, Drawer } from '../../ui/kit/index.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { Time } from '../../ui/page/time.tsx'
import { useConfirmDelete } from '../../ui/overlay/use-confirm-delete.ts'
import { titleOf, type Conversation } from './conversation/conversation.ts'
import { deleteConversations, openConversation, usePlayground } from './conversation/store.ts'
import styles from './toolbar.module.css'

/** The conversations stored in this browser. */
export default function HistoryDrawer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const confirmDelete = useConfirmDelete()
  const currentId = usePlayground((state) => state.currentId)
  const all = usePlayground((state) => state.conversations)
  const conversations = all.filter(({ turns }) => turns.length > 0)
  const remove = (removed: readonly Conversation[]) => {
    deleteConversations(removed.map(({ id }) => id))
    return Promise.resolve()
  }
  return (
    <Drawer
      open
      title={t('history.title')}
      size={380}
      onClose={onClose}
      closable={{ 'aria-label': common('close') }}
      extra={
        conversations.length > 0 && (
          <Button
            size="small"
            danger
            onClick={() =>
              confirmDelete({
                title: t('history.clearTitle'),
                text: t('history.clearText', { count: conversations.length }),
                onConfirm: () => remove(conversations),
              })
            }
          >
            {t('history.clear')}
          </Button>
        )
      }
    >
      <p className={styles.storageHint}>{t('history.hint')}</p>
      {conversations.length === 0 && <EmptyState title={t('history.none')} hint={t('history.noneHint')} />}
      <ul className={styles.list}>
        {conversations.map((conversation) => {
          const title = titleOf(conversation) || t('history.untitled')
          return (
            <li key={conversation.id} className={styles.item} data-current={conversation.id === currentId || undefined}>
              <button
                type="button"
                className={styles.open}
                aria-current={conversation.id === currentId || undefined}
                onClick={() => {
                  openConversation(conversation.id)
                  onClose()
                }}
              >
                <span className={styles.itemTitle}>{title}</span>
                <span className={styles.itemFacts}>
                  <Time unixSeconds={Math.floor(conversation.updatedAt / 1000)} />
                  <span className={styles.itemModels}>
                    {conversation.columns.map(({ model }) => model).join(' · ')}
                  </span>
                </span>
              </button>
              <RowButton
                label={t('history.delete', { title })}
                onClick={() =>
                  confirmDelete({
                    title: t('history.deleteTitle'),
                    text: t('history.deleteText', { title }),
                    onConfirm: () => remove([conversation]),
                  })
                }
              >
                <DeleteOutlined aria-hidden />
              </RowButton>
            </li>
          )
        })}
      </ul>
    </Drawer>
  )
}
