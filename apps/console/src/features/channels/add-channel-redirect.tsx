import { Navigate } from 'react-router'

/** An address of its own that opens the drawer over the list. */
export default function AddChannelRedirect() {
  return <Navigate replace to="/admin/channels?drawer=create" />
}
