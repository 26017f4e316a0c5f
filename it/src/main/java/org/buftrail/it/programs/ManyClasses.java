package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Has as many classes loaded as its argument says, all of which take buffers. */
public final class ManyClasses {
  private ManyClasses() {}

  /** Loaded once by each loader. */
  public static final class Copied {
    private Copied() {}

    /** A hop. */
    public static void take(ByteBuf buffer) {
      buffer.writeByte(1);
    }
  }

  private static final class Copier extends ClassLoader {
    Copier() {
      super(ManyClasses.class.getClassLoader());
    }

    Class<?> copy(byte[] classFile) {
      return defineClass(Copied.class.getName(), classFile, 0, classFile.length);
    }
  }

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    byte[] classFile = classFile();
    List<Class<?>> classes = new ArrayList<>();
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(1 << 16);
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      Class<?> copy = new Copier().copy(classFile);
      copy.getMethod("take", ByteBuf.class).invoke(null, buffer);
      classes.add(copy);
    }
    buffer.release();
    Files.createFile(Path.of("ready"));
    while (!Files.exists(Path.of("stop"))) {
      ByteBuf taken = PooledByteBufAllocator.DEFAULT.directBuffer(16);
      classes.get(0).getMethod("take", ByteBuf.class).invoke(null, taken);
      taken.release();
      Thread.sleep(1);
    }
  }

  private static byte[] classFile() throws IOException {
    String name = Copied.class.getName().replace('.', '/') + ".class";
    try (InputStream in = ManyClasses.class.getClassLoader().getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }
}
