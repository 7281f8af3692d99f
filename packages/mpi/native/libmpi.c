#define _GNU_SOURCE
#include "libmpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static int mpich;
static char version[8192];
static char problem[2048];

/* What the handles are: one of the two kinds. */
static Handle world, byte_type, errors_return;

/* The functions, by the two shapes that handles give them: p takes pointers, i takes numbers. */
static struct {
  int (*init_thread)(int *, char ***, int, int *);
  int (*finalize)(void);
  int (*error_string)(int, char *, int *);
  int (*library_version)(char *, int *);
  void *comm_rank, *comm_size, *isend, *irecv, *test, *wait, *cancel, *iprobe, *get_count, *set_errhandler, *barrier;
  void *revoke, *shrink;
} f;

static int find(const char *name, void *where) {
  void *symbol = dlsym(library, name);
  memcpy(where, &symbol, sizeof symbol);
  if (symbol != NULL) return 1;
  snprintf(problem, sizeof problem, "libmpi lacks %s", name);
  return 0;
}

static void *open_one(const char *name) { return dlopen(name, RTLD_NOW | RTLD_GLOBAL); }

/* The launcher says whose ranks these are, where two MPIs are installed. */
static void *open_any(void) {
  static const char *const open_mpi[] = {"libmpi.so.40", "libmpi.so.80", "libmpi.so", "libmpi.40.dylib", "libmpi.dylib", NULL};
  static const char *const mpich_names[] = {"libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.12.dylib", NULL};
  int prefer_mpich = getenv("OMPI_COMM_WORLD_SIZE") == NULL && (getenv("PMI_SIZE") != NULL || getenv("PMI_RANK") != NULL);
  for (int pass = 0; pass < 2; pass++) {
    const char *const *names = (pass == 0) == prefer_mpich ? mpich_names : open_mpi;
    for (; *names != NULL; names++) {
      void *found = open_one(*names);
      if (found != NULL) return found;
    }
  }
  return NULL;
}

const char *mpi_load(const char *path) {
  if (library != NULL) return NULL;
  library = path != NULL && path[0] != 0 ? open_one(path) : open_any();
  if (library == NULL) {
    const char *why = dlerror();
    snprintf(problem, sizeof problem, "%s", why == NULL ? "no libmpi found" : why);
    return problem;
  }
  mpich = dlsym(library, "ompi_mpi_comm_world") == NULL;
  if (mpich) {
    world.number = 0x44000000;
    byte_type.number = 0x4c00010d;
    errors_return.number = 0x54000001;
  } else if (!find("ompi_mpi_comm_world", &world.pointer) || !find("ompi_mpi_byte", &byte_type.pointer) ||
             !find("ompi_mpi_errors_return", &errors_return.pointer)) {
    return problem;
  }
  if (!find("MPI_Init_thread", &f.init_thread) || !find("MPI_Finalize", &f.finalize) ||
      !find("MPI_Error_string", &f.error_string) || !find("MPI_Get_library_version", &f.library_version) ||
      !find("MPI_Comm_rank", &f.comm_rank) || !find("MPI_Comm_size", &f.comm_size) || !find("MPI_Isend", &f.isend) ||
      !find("MPI_Irecv", &f.irecv) || !find("MPI_Test", &f.test) || !find("MPI_Wait", &f.wait) ||
      !find("MPI_Cancel", &f.cancel) || !find("MPI_Iprobe", &f.iprobe) || !find("MPI_Get_count", &f.get_count) ||
      !find("MPI_Comm_set_errhandler", &f.set_errhandler) || !find("MPI_Barrier", &f.barrier)) {
    return problem;
  }
  f.revoke = dlsym(library, "MPIX_Comm_revoke");
  f.shrink = dlsym(library, "MPIX_Comm_shrink");
  int length = 0;
  f.library_version(version, &length);
  version[sizeof version - 1] = 0;
  return NULL;
}

const char *mpi_version(void) { return version; }
int mpi_is_mpich(void) { return mpich; }
int mpi_has_ulfm(void) { return f.revoke != NULL && f.shrink != NULL; }

static int return_errors(void) {
  if (mpich) return ((int (*)(int, int))f.set_errhandler)(world.number, errors_return.number);
  return ((int (*)(void *, void *))f.set_errhandler)(world.pointer, errors_return.pointer);
}

int mpi_init(int *provided) {
  int code = f.init_thread(NULL, NULL, 1 /* MPI_THREAD_FUNNELED */, provided);
  return code != 0 ? code : return_errors();
}

int mpi_finalize(void) { return f.finalize(); }

int mpi_rank(int *rank) {
  if (mpich) return ((int (*)(int, int *))f.comm_rank)(world.number, rank);
  return ((int (*)(void *, int *))f.comm_rank)(world.pointer, rank);
}

int mpi_size(int *size) {
  if (mpich) return ((int (*)(int, int *))f.comm_size)(world.number, size);
  return ((int (*)(void *, int *))f.comm_size)(world.pointer, size);
}

int mpi_isend(const void *data, int bytes, int peer, int tag, Handle *request) {
  if (mpich) {
    return ((int (*)(const void *, int, int, int, int, int, int *))f.isend)(data, bytes, byte_type.number, peer, tag,
                                                                           world.number, &request->number);
  }
  return ((int (*)(const void *, int, void *, int, int, void *, void **))f.isend)(data, bytes, byte_type.pointer, peer,
                                                                                 tag, world.pointer, &request->pointer);
}

int mpi_irecv(void *data, int bytes, int peer, int tag, Handle *request) {
  if (mpich) {
    return ((int (*)(void *, int, int, int, int, int, int *))f.irecv)(data, bytes, byte_type.number, peer, tag,
                                                                     world.number, &request->number);
  }
  return ((int (*)(void *, int, void *, int, int, void *, void **))f.irecv)(data, bytes, byte_type.pointer, peer, tag,
                                                                           world.pointer, &request->pointer);
}

int mpi_test(Handle *request, int *done, Status *status) {
  return ((int (*)(void *, int *, Status *))f.test)(request, done, status);
}

int mpi_waits(int peer, int tag) {
  Status status;
  int there = 0;
  int code = mpich ? ((int (*)(int, int, int, int *, Status *))f.iprobe)(peer, tag, world.number, &there, &status)
                   : ((int (*)(int, int, void *, int *, Status *))f.iprobe)(peer, tag, world.pointer, &there, &status);
  return code == 0 && there;
}

int mpi_bytes(const Status *status, int *bytes) {
  if (mpich) return ((int (*)(const Status *, int, int *))f.get_count)(status, byte_type.number, bytes);
  return ((int (*)(const Status *, void *, int *))f.get_count)(status, byte_type.pointer, bytes);
}

int mpi_cancel(Handle *request) { return ((int (*)(void *))f.cancel)(request); }

int mpi_wait(Handle *request) {
  Status status;
  return ((int (*)(void *, Status *))f.wait)(request, &status);
}

int mpi_barrier(void) {
  if (mpich) return ((int (*)(int))f.barrier)(world.number);
  return ((int (*)(void *))f.barrier)(world.pointer);
}

void mpi_error(int code, char *text, size_t room) {
  char whole[4096] = "";
  int length = 0;
  f.error_string(code, whole, &length);
  snprintf(text, room, "%s", whole);
}

int mpi_shrink(void) {
  Handle survivors;
  memset(&survivors, 0, sizeof survivors);
  int code;
  if (mpich) {
    ((int (*)(int))f.revoke)(world.number);
    code = ((int (*)(int, int *))f.shrink)(world.number, &survivors.number);
  } else {
    ((int (*)(void *))f.revoke)(world.pointer);
    code = ((int (*)(void *, void **))f.shrink)(world.pointer, &survivors.pointer);
  }
  if (code != 0) return code;
  world = survivors;
  return return_errors();
}
