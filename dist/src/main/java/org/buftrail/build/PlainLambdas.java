package org.buftrail.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Gives the lambdas and method references of class files classes of their own.
 *
 * <p>The JVM makes a class for each at its first use, with code that it interprets: half a
 * millisecond of processor time each, while the application waits for the agent to start. Classes
 * that are there already take a tenth of that.
 */
public final class PlainLambdas {
  private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";

  /** By internal name. */
  private final Map<String, Path> files = new TreeMap<>();

  private final Map<Path, byte[]> written = new LinkedHashMap<>();

  /** The new members of each nest, by its host. */
  private final Map<String, List<String>> members = new HashMap<>();

  private PlainLambdas() {}

  /**
   * Rewrites files in place and writes others beside them.
   *
   * @param args directories, each with a root of packages before it and the suffix of class files
   *     behind it: {@code agent org/buftrail/agent .classdata}
   */
  public static void main(String[] args) throws IOException {
    PlainLambdas lambdas = new PlainLambdas();
    for (int i = 0; i < args.length; i += 3) {
      lambdas.add(Path.of(args[i]), args[i + 1], args[i + 2]);
    }
    lambdas.rewrite();
  }

  private void add(Path root, String directory, String suffix) throws IOException {
    try (Stream<Path> found = Files.walk(root.resolve(directory))) {
      for (Path file :
          found.filter(f -> f.toString().endsWith(suffix)).collect(Collectors.toList())) {
        String path = root.relativize(file).toString().replace('\\', '/');
        files.put(path.substring(0, path.length() - suffix.length()), file);
      }
    }
  }

  private void rewrite() throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      ClassReader reader = new ClassReader(Files.readAllBytes(file.getValue()));
      // Without what the old constant pool says of the factory.
      ClassWriter writer = new ClassWriter(0);
      Host host = new Host(writer);
      reader.accept(host, 0);
      if (!host.groups.isEmpty()) {
        written.put(file.getValue(), writer.toByteArray());
        for (LambdaClass group : host.groups.values()) {
          String name = file.getValue().getFileName().toString();
          String suffix = name.substring(name.lastIndexOf('.'));
          String simple = group.name.substring(group.name.lastIndexOf('/') + 1);
          written.put(file.getValue().resolveSibling(simple + suffix), group.toBytes(host.nest()));
          members.computeIfAbsent(host.nest(), n -> new ArrayList<>()).add(group.name);
        }
      }
    }
    for (Map.Entry<String, List<String>> nest : members.entrySet()) {
      Path file = files.get(nest.getKey());
      if (file == null) {
        throw new IOException("no host of a nest: " + nest.getKey());
      }
      byte[] before = written.containsKey(file) ? written.get(file) : Files.readAllBytes(file);
      written.put(file, withMembers(before, nest.getValue()));
    }
    for (Map.Entry<Path, byte[]> file : written.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  private static byte[] withMembers(byte[] classFile, List<String> members) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visitEnd() {
            for (String member : members) {
              super.visitNestMember(member);
            }
            super.visitEnd();
          }
        },
        0);
    return writer.toByteArray();
  }

  /** A class whose lambdas are taken out. */
  private static final class Host extends ClassVisitor {
    private final Map<String, LambdaClass> groups = new LinkedHashMap<>();
    private String name = "";
    private int version;
    private @Nullable String nestHost;

    Host(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    String nest() {
      return nestHost == null ? name : nestHost;
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      this.name = name;
      this.version = version;
      super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public void visitNestHost(String nestHost) {
      this.nestHost = nestHost;
      super.visitNestHost(nestHost);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        private boolean taken;

        @Override
        public void visitInvokeDynamicInsn(
            String method, String type, Handle bootstrap, Object... arguments) {
          if (!bootstrap.getOwner().equals(FACTORY) || !bootstrap.getName().equals("metafactory")) {
            super.visitInvokeDynamicInsn(method, type, bootstrap, arguments);
            return;
          }
          Lambda lambda = new Lambda(method, type, arguments);
          LambdaClass group =
              groups.computeIfAbsent(
                  lambda.shape(),
                  shape ->
                      new LambdaClass(
                          Host.this.name + "$Lambda" + (groups.size() + 1), version, lambda));
          int number = group.add(lambda);
          taken = true;
          super.visitLdcInsn(number);
          super.visitMethodInsn(Opcodes.INVOKESTATIC, group.name, "of", group.factory(), false);
        }

        /** The number lies on the stack beside what is captured. */
        @Override
        public void visitMaxs(int stack, int locals) {
          super.visitMaxs(taken ? stack + 1 : stack, locals);
        }
      };
    }
  }
}
