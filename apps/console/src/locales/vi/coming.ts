export default {
  label: 'Sắp ra mắt',
  action: 'Về bảng điều khiển',
  home: 'Về trang chủ',
  drawingLogs: 'Trang này sẽ liệt kê các tác vụ vẽ và kết quả.',
  inbox: 'Trang này sẽ chứa tin nhắn từ hệ thống.',
  message: 'Trang này sẽ hiển thị toàn văn một tin nhắn.',
  messages: 'Trang này sẽ dùng để soạn tin nhắn cho người dùng và xem ai đã đọc.',
  oauth: 'Trang này sẽ hoàn tất việc đăng nhập hoặc liên kết bằng tài khoản bên thứ ba.',
  taskLogs: 'Trang này sẽ liệt kê các tác vụ âm nhạc và tác vụ dài khác.',
}
