import { Button, Input } from '../../../../ui/kit/index.ts'
import styles from '../editor.module.css'

interface Props {
  /** Given by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  placeholder: string
  template: string
  templateText: string
}

/** A short text that may also be a JSON object, with an example of the latter. */
export function JsonOrTextField({ id, value = '', onChange, placeholder, template, templateText }: Props) {
  return (
    <div className={styles.stack}>
      <Input.TextArea
        {...(id !== undefined && { id })}
        className="mono"
        autoSize={{ minRows: 1, maxRows: 10 }}
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button size="small" disabled={value.trim() !== ''} onClick={() => onChange?.(template)}>
        {templateText}
      </Button>
    </div>
  )
}
