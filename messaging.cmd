@node "%~dp0messaging.js" %*
