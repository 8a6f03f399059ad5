/* What a disk would hold after a power cut: an LD_PRELOAD library that keeps a shadow of one folder.

   A write to a file of $ONLY_FSYNCED_FOLDER is remembered, and reaches the shadow when somebody calls fsync or
   fdatasync on that file, not before. Names (files made, renamed, deleted) reach the shadow at fsync of the folder
   alone, which is stricter than the file systems in use. $ONLY_FSYNCED_SHADOW then holds each file's safe bytes under
   a number, and in "names" a line "number name" for each name that is safe. Only one process may use the folder.
   Left out: "-shm", SQLite's index of its log, which is mapped into memory and made anew from the log. With
   $ONLY_FSYNCED_MS the disk takes so long for each fsync, so that a cut finds more on its way.
   A way to write that this library does not know ends the program: better no answer than a wrong one. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HIGHEST = 65536 };
typedef struct Step { struct Step *next; off_t at; ssize_t size; char bytes[]; } Step; /* size -1: cut off at `at` */
typedef struct File { struct File *next; ino_t inode; int number; Step *first, **end; } File;

static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER; /* around the lists */
static pthread_mutex_t syncing = PTHREAD_MUTEX_INITIALIZER; /* what was synced first reaches the shadow first */
static File *files, *of_handle[HIGHEST];
static int numbers, begun;

static const char *folder(void) { return getenv("ONLY_FSYNCED_FOLDER"); }

static void fail(const char *what) { perror(what); abort(); }

static int shadow(const char *name, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("ONLY_FSYNCED_SHADOW"), name);
    int handle = syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
    if (handle < 0) fail(path);
    return handle;
}

static int shadow_of(int number) {
    char name[32];
    snprintf(name, sizeof name, "%d", number);
    return shadow(name, O_RDWR | O_CREAT);
}

static File *known(ino_t inode) {
    File *file = files;
    while (file && file->inode != inode) file = file->next;
    return file;
}

static File *made(ino_t inode) { /* found first from now on, also where the number of a deleted file comes again */
    File *file = calloc(1, sizeof *file);
    *file = (File){.next = files, .inode = inode, .number = ++numbers};
    file->end = &file->first;
    close(shadow_of(file->number));
    return files = file;
}

static void put(int handle, const char *bytes, size_t size, off_t at) {
    while (size) {
        ssize_t done = syscall(SYS_pwrite64, handle, bytes, size, at);
        if (done < 0) fail("shadow");
        bytes += done, size -= done, at += done;
    }
}

static int is_kept(const char *name) {
    size_t length = strlen(name);
    return name[0] != '.' && (length < 4 || strcmp(name + length - 4, "-shm"));
}

static void keep_names(const char *text, size_t size) { /* whole or not at all, as a folder on a disk */
    int handle = shadow("names.new", O_WRONLY | O_CREAT | O_TRUNC);
    put(handle, text, size, 0);
    close(handle);
    char from[4096], to[4096];
    snprintf(from, sizeof from, "%s/names.new", getenv("ONLY_FSYNCED_SHADOW"));
    snprintf(to, sizeof to, "%s/names", getenv("ONLY_FSYNCED_SHADOW"));
    if (rename(from, to)) fail(to);
}

static char *names_now(size_t *size) { /* of the real folder, with the number of each file */
    char *text = NULL;
    FILE *lines = open_memstream(&text, size);
    DIR *open = opendir(folder());
    for (struct dirent *entry; open && (entry = readdir(open));) {
        if (entry->d_type != DT_REG || !is_kept(entry->d_name)) continue;
        File *file = known(entry->d_ino);
        if (!file) file = made(entry->d_ino);
        fprintf(lines, "%d %s\n", file->number, entry->d_name);
    }
    if (open) closedir(open);
    fclose(lines);
    return text;
}

static void copy_all(void) { /* what is there when the program begins lies on the disk */
    DIR *open = opendir(folder());
    for (struct dirent *entry; open && (entry = readdir(open));) {
        if (entry->d_type != DT_REG || !is_kept(entry->d_name)) continue;
        int from = syscall(SYS_openat, dirfd(open), entry->d_name, O_RDONLY), to = shadow_of(made(entry->d_ino)->number);
        static char bytes[1 << 16];
        off_t at = 0;
        for (ssize_t size; (size = syscall(SYS_read, from, bytes, sizeof bytes)) > 0; at += size) put(to, bytes, size, at);
        syscall(SYS_close, from), syscall(SYS_close, to);
    }
    if (open) closedir(open);
    size_t size;
    char *text = names_now(&size);
    keep_names(text, size);
    free(text);
}

static void remember(File *file, const void *bytes, ssize_t size, off_t at) {
    Step *step = malloc(sizeof *step + (size > 0 ? size : 0));
    *step = (Step){.at = at, .size = size};
    if (size > 0) memcpy(step->bytes, bytes, size);
    pthread_mutex_lock(&listing);
    *file->end = step, file->end = &step->next;
    pthread_mutex_unlock(&listing);
}

static File *of(int handle) { return handle >= 0 && handle < HIGHEST ? of_handle[handle] : NULL; }

/* ---------------------------------------------------------------- opening and closing */

static int opened(int at, const char *path, int flags, mode_t mode) {
    const char *ours = folder();
    if (!ours || !path || strncmp(path, ours, strlen(ours)) || path[strlen(ours)] != '/' || !is_kept(path)
        || (flags & O_DIRECTORY)) return syscall(SYS_openat, at, path, flags, mode);
    pthread_mutex_lock(&listing);
    if (!begun++) copy_all();
    int is_new = (flags & O_CREAT) && access(path, F_OK);
    int handle = syscall(SYS_openat, at, path, flags, mode);
    struct stat about;
    File *file = NULL;
    if (handle >= 0 && !fstat(handle, &about) && S_ISREG(about.st_mode)) {
        file = is_new ? NULL : known(about.st_ino);
        if (!file) file = made(about.st_ino);
        if (handle >= HIGHEST) fail("too many handles");
        of_handle[handle] = file;
    }
    pthread_mutex_unlock(&listing);
    if (file && (flags & O_TRUNC)) remember(file, NULL, -1, 0);
    return handle;
}

#define MODE(flags) mode_t mode = 0; if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }

int close(int handle) {
    if (of(handle)) of_handle[handle] = NULL;
    return syscall(SYS_close, handle);
}

/* ---------------------------------------------------------------- writing */

ssize_t pwrite(int handle, const void *bytes, size_t size, off_t at) {
    ssize_t done = syscall(SYS_pwrite64, handle, bytes, size, at);
    if (done > 0 && of(handle)) remember(of(handle), bytes, done, at);
    return done;
}
ssize_t pwrite64(int handle, const void *bytes, size_t size, off_t at) { return pwrite(handle, bytes, size, at); }

ssize_t write(int handle, const void *bytes, size_t size) {
    ssize_t done = syscall(SYS_write, handle, bytes, size);
    if (done > 0 && of(handle)) remember(of(handle), bytes, done, lseek(handle, 0, SEEK_CUR) - done);
    return done;
}

int ftruncate(int handle, off_t size) {
    int failed = syscall(SYS_ftruncate, handle, size);
    if (!failed && of(handle)) remember(of(handle), NULL, -1, size);
    return failed;
}
int ftruncate64(int handle, off_t size) { return ftruncate(handle, size); }

static void must_not(int handle) { if (of(handle)) fail("a way to write that only_fsynced.c does not know"); }
ssize_t writev(int handle, const struct iovec *parts, int count) { must_not(handle); return syscall(SYS_writev, handle, parts, count); }
int fallocate(int handle, int mode, off_t at, off_t size) { must_not(handle); return syscall(SYS_fallocate, handle, mode, at, size); }
int fallocate64(int handle, int mode, off_t at, off_t size) { return fallocate(handle, mode, at, size); }

/* ---------------------------------------------------------------- reaching the disk */

static void settle(File *file, Step *step) {
    int handle = shadow_of(file->number);
    for (Step *next; step; step = next) {
        if (step->size < 0 && syscall(SYS_ftruncate, handle, step->at)) fail("shadow");
        if (step->size > 0) put(handle, step->bytes, step->size, step->at);
        next = step->next;
        free(step);
    }
    syscall(SYS_close, handle);
}

static int is_our_folder(int handle) {
    struct stat this, ours;
    return begun && !fstat(handle, &this) && S_ISDIR(this.st_mode) && !stat(folder(), &ours) && this.st_ino == ours.st_ino;
}

static int synced(long call, int handle) { /* safe is what was written before the call, not what came while it ran */
    File *file = of(handle);
    int of_names = !file && folder() && is_our_folder(handle);
    if (!file && !of_names) return syscall(call, handle);
    Step *steps = NULL;
    char *text = NULL;
    size_t size = 0;
    pthread_mutex_lock(&syncing);
    pthread_mutex_lock(&listing);
    if (file) steps = file->first, file->first = NULL, file->end = &file->first;
    else text = names_now(&size);
    pthread_mutex_unlock(&listing);
    usleep(1000 * (getenv("ONLY_FSYNCED_MS") ? atoi(getenv("ONLY_FSYNCED_MS")) : 0)); /* a slow disk */
    int failed = syscall(call, handle);
    if (file) settle(file, steps);
    else keep_names(text, size), free(text);
    pthread_mutex_unlock(&syncing);
    return failed;
}
int fsync(int handle) { return synced(SYS_fsync, handle); }
int fdatasync(int handle) { return synced(SYS_fdatasync, handle); }
