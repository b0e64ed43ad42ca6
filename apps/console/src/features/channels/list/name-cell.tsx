import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/status-tag.tsx'
import styles from '../channels.module.css'
import { useActions } from './channel-actions.ts'
import type { ListRow, MoreRow } from './list-rows.ts'
import { useTagName } from './use-tag-name.ts'

/** The tag of a channel stands beside its name while it has no column. Rows of a tag are nested in it and need none. */
export function NameCell({ row, withTag }: { row: ListRow; withTag: boolean }) {
  const { t } = useTranslation('channels')
  const tagName = useTagName()
  switch (row.kind) {
    case 'channel': {
      const { name, tag } = row.channel
      return (
        <span className={styles.nameCell} data-nested={row.isNested || undefined}>
          <span className={styles.name} title={name}>
            {name}
          </span>
          {withTag && !row.isNested && tag !== '' && <TagLabel tag={tag} />}
        </span>
      )
    }
    case 'tag':
      return (
        <span className={styles.nameCell} data-nested>
          <span className={styles.name} title={tagName(row)}>
            {tagName(row)}
          </span>
          {row.tag !== '' && <span className="secondary number">{t('tag.count', { count: row.channels.length })}</span>}
        </span>
      )
    case 'more':
      return <MoreButton row={row} />
  }
}

export function MoreButton({ row }: { row: MoreRow }) {
  const { t } = useTranslation('channels')
  const { showMore } = useActions()
  return (
    <Button size="small" type="link" onClick={() => showMore(row.tag)}>
      {t('tag.more', { count: row.hidden })}
    </Button>
  )
}

export function TagLabel({ tag }: { tag: string }) {
  return (
    <StatusTag tone="info" plain>
      {tag}
    </StatusTag>
  )
}
