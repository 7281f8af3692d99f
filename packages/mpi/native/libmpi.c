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

/* What every MPI has: MPI_Init_thread and so on. */
#define NEEDED(X) \
  X(Init_thread) X(Finalize) X(Error_string) X(Get_library_version) X(Comm_rank) X(Comm_size) X(Comm_set_errhandler) \
  X(Isend) X(Irecv) X(Test) X(Wait) X(Cancel) X(Iprobe) X(Get_count)

/* The functions; their types are said where they are called, for handles give them two shapes. */
#define MEMBER(NAME) void *NAME;
static struct { NEEDED(MEMBER) void *revoke, *shrink; } f;

#define ENTRY(NAME) {"MPI_" #NAME, &f.NAME},
static const struct {
  const char *name;
  void *where;
} needed[] = {NEEDED(ENTRY)};

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
  for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++) {
    if (!find(needed[k].name, needed[k].where)) return problem;
  }
  f.revoke = dlsym(library, "MPIX_Comm_revoke");
  f.shrink = dlsym(library, "MPIX_Comm_shrink");
  int length = 0;
  ((int (*)(char *, int *))f.Get_library_version)(version, &length);
  version[sizeof version - 1] = 0;
  return NULL;
}

const char *mpi_version(void) { return version; }
int mpi_is_mpich(void) { return mpich; }
int mpi_has_ulfm(void) { return f.revoke != NULL && f.shrink != NULL; }

/* A call in both shapes: T is the type of a handle, M its member of Handle. */
#define EITHER(CALL) (mpich ? CALL(int, number) : CALL(void *, pointer))

#define SET_ERRHANDLER(T, M) ((int (*)(T, T))f.Comm_set_errhandler)(world.M, errors_return.M)
static int return_errors(void) { return EITHER(SET_ERRHANDLER); }

int mpi_init(int *provided) {
  int code = ((int (*)(int *, char ***, int, int *))f.Init_thread)(NULL, NULL, 1 /* MPI_THREAD_FUNNELED */, provided);
  return code != 0 ? code : return_errors();
}

int mpi_finalize(void) { return ((int (*)(void))f.Finalize)(); }

#define PLACE(T, M) \
  (((int (*)(T, int *))f.Comm_rank)(world.M, rank), ((int (*)(T, int *))f.Comm_size)(world.M, size))
void mpi_place(int *rank, int *size) { EITHER(PLACE); }

#define ISEND(T, M) \
  ((int (*)(const void *, int, T, int, int, T, T *))f.Isend)(data, bytes, byte_type.M, peer, tag, world.M, &request->M)
int mpi_isend(const void *data, int bytes, int peer, int tag, Handle *request) { return EITHER(ISEND); }

#define IRECV(T, M) \
  ((int (*)(void *, int, T, int, int, T, T *))f.Irecv)(data, bytes, byte_type.M, peer, tag, world.M, &request->M)
int mpi_irecv(void *data, int bytes, int peer, int tag, Handle *request) { return EITHER(IRECV); }

int mpi_test(Handle *request, int *done, Status *status) {
  return ((int (*)(void *, int *, Status *))f.Test)(request, done, status);
}

#define IPROBE(T, M) ((int (*)(int, int, T, int *, Status *))f.Iprobe)(peer, tag, world.M, &there, &status)
int mpi_waits(int peer, int tag) {
  Status status;
  int there = 0;
  return EITHER(IPROBE) == 0 && there;
}

#define GET_COUNT(T, M) ((int (*)(const Status *, T, int *))f.Get_count)(status, byte_type.M, bytes)
int mpi_bytes(const Status *status, int *bytes) { return EITHER(GET_COUNT); }

void mpi_cancel(Handle *request) {
  Status status;
  ((int (*)(void *))f.Cancel)(request);
  ((int (*)(void *, Status *))f.Wait)(request, &status);
}

void mpi_error(int code, char *text, size_t room) {
  char whole[4096] = "";
  int length = 0;
  ((int (*)(int, char *, int *))f.Error_string)(code, whole, &length);
  snprintf(text, room, "%s", whole);
}

#define REVOKE(T, M) ((int (*)(T))f.revoke)(world.M)
#define SURVIVORS(T, M) ((int (*)(T, T *))f.shrink)(world.M, &survivors.M)
int mpi_shrink(void) {
  Handle survivors;
  memset(&survivors, 0, sizeof survivors);
  EITHER(REVOKE);
  int code = EITHER(SURVIVORS);
  if (code != 0) return code;
  world = survivors;
  return return_errors();
}
