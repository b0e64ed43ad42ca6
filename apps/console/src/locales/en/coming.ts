export default {
  label: 'Coming',
  action: 'Back to the console',
  home: 'Back to home',
  drawingLogs: 'This page will list drawing tasks and their results.',
  inbox: 'This page will hold messages from the site.',
  message: 'This page will show a message in full.',
  messages: 'This page will write messages to users and show who has read them.',
  oauth: 'This page will finish signing in or binding with a third-party account.',
  taskLogs: 'This page will list music and other long tasks.',
}
