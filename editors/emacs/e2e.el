;;; e2e.el --- drives tfmem in eglot  -*- lexical-binding: t; -*-
;; emacs --batch -l e2e.el, with the program in TFMEM.

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'cl-lib)

(setq eglot-sync-connect t
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)
(when (boundp 'eglot-confirm-server-edits)
  (setq eglot-confirm-server-edits nil))
(add-to-list 'eglot-server-programs `(python-mode . (,(getenv "TFMEM") "server")))

(defun wait (what holds)
  "Wait until HOLDS, of which WHAT tells, or fail."
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall holds)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (if (funcall holds)
        (message "ok   %s" what)
      (message "FAIL %s\n%s" what (buffer-string))
      (kill-emacs 1))))

(let ((folder (make-temp-file "tfmem-emacs" t)))
  (call-process "git" nil nil nil "init" "-q" folder)
  (with-temp-file (expand-file-name "train.py" folder)
    (insert "import tensorflow as tf\nsession = tf.compat.v1.Session()\n"))
  (find-file (expand-file-name "train.py" folder))
  (python-mode)
  (apply #'eglot (eglot--guess-contact))
  (wait "a client of this project attaches" #'eglot-current-server)
  (wait "TFM201 arrives"
        (lambda ()
          (flymake-start)
          (cl-some (lambda (d) (string-match-p "memory growth" (flymake-diagnostic-text d))) (flymake-diagnostics))))
  (goto-char (point-min))
  (search-forward "Session")
  (let* ((actions (append (eglot-code-actions (line-beginning-position) (line-end-position) "quickfix" nil) nil))
         (fix (cl-find-if (lambda (a) (string-match-p "grow" (plist-get a :title))) actions)))
    (unless fix
      (message "FAIL no fix among %S" (mapcar (lambda (a) (plist-get a :title)) actions))
      (kill-emacs 1))
    (if (fboundp 'eglot-execute)
        (eglot-execute (eglot-current-server) fix)
      (eglot--apply-workspace-edit
       (or (plist-get fix :edit)
           (plist-get (jsonrpc-request (eglot-current-server) :codeAction/resolve fix) :edit)))))
  (wait "the quick fix lets the session's memory grow"
        (lambda () (string-match-p "allow_growth" (buffer-string))))
  (eglot-shutdown (eglot-current-server)))
(message "ok   the server ends when its client asks it to")
(kill-emacs 0)
