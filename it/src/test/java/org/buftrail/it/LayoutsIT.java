package org.buftrail.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The application's classes are found where launchers, build tools and servers put them, without
 * {@code include}. Directories are laid out and JVMs started as their scripts do; the launchers are
 * stand-ins with the names of the real ones, but for Spring Boot's.
 */
final class LayoutsIT {
  private static final String PASSED =
      "UnpooledByteBufAllocator.directBuffer > PassThrough.direct > PassThrough.direct_return"
          + " > PassThrough.main > PassThrough.first > PassThrough.second > PassThrough.third"
          + " > ByteBuf.release 100/0/0";

  private static final String RUN =
      "org.buftrail.it.programs.PassThrough.main(new String[] {\"unpooled\", \"direct\","
          + " \"100\"});";

  private static final String MAIN =
      "package org.buftrail.shop; public class Main {"
          + " public static void main(String[] args) throws Exception { "
          + RUN
          + " } }";

  private static final Setting SETTING = Setting.newest();

  @TempDir private Path directory;

  /** The main class of the application, and the module that has the buffers. */
  private Path main;

  private Path codec;

  private final List<Path> nettys =
      SETTING.nettyJars().stream()
          .filter(jar -> jar.getFileName().toString().matches("netty-(buffer|common)-.*"))
          .toList();

  @BeforeEach
  void makeTheApplication() throws IOException {
    main = compile("main", MAIN);
    codec = directory.resolve("codec.jar");
    try (Jars jars = new Jars(codec)) {
      jars.classes(Setting.PROGRAMS, "", "org/buftrail/it/programs/");
    }
  }

  /** Compiles one class, {@code package a.b; public class C}, and returns its directory. */
  private Path compile(String name, String source, String... options) throws IOException {
    Path classes = Files.createDirectories(directory.resolve("compiled").resolve(name));
    JavaCompiler compiler = javax.tools.ToolProvider.getSystemJavaCompiler();
    List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), "--release", "11"));
    arguments.addAll(List.of("-cp", Setting.PROGRAMS.toString()));
    arguments.addAll(List.of(options));
    String file =
        source.startsWith("module")
            ? "module-info"
            : source.replaceFirst("(?s)package ([\\w.]+);.*? class (\\w+).*", "$1.$2");
    JavaFileObject unit =
        new SimpleJavaFileObject(
            URI.create("string:///" + file.replace('.', '/') + ".java"),
            JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignored) {
            return source;
          }
        };
    StringWriter said = new StringWriter();
    boolean done = compiler.getTask(said, null, null, arguments, null, List.of(unit)).call();
    assertThat(done).as(said.toString()).isTrue();
    return classes;
  }

  /** A launcher that calls the application by reflection, as it knows it from elsewhere. */
  private Path launcher(String name) throws IOException {
    int dot = name.lastIndexOf('.');
    return compile(
        name,
        String.format(
            "package %s; public class %s { public static void main(String[] args) throws"
                + " Exception { Class.forName(System.getProperty(\"main\", \"org.buftrail.shop.Main\"))"
                + ".getMethod(\"main\", String[].class).invoke(null, (Object) new String[0]); } }",
            name.substring(0, dot), name.substring(dot + 1)));
  }

  /** A launcher with a class loader of its own for jars and directories. */
  private Path loadingLauncher(String name, String... places) throws IOException {
    int dot = name.lastIndexOf('.');
    String urls =
        Stream.of(places)
            .map(place -> "new java.io.File(\"" + place + "\").toURI().toURL()")
            .collect(joining(", "));
    return compile(
        name,
        String.format(
            "package %s; public class %s { public static void main(String[] args) throws"
                + " Exception { new java.net.URLClassLoader(new java.net.URL[] {%s})"
                + ".loadClass(\"org.buftrail.shop.Main\")"
                + ".getMethod(\"main\", String[].class).invoke(null, (Object) new String[0]); } }",
            name.substring(0, dot), name.substring(dot + 1), urls));
  }

  private Path jar(String name, List<Path> classes, String... attributes) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    try (Jars jars = new Jars(file, attributes)) {
      for (Path each : classes) {
        jars.classes(each, "", "");
      }
    }
    return file;
  }

  private Path copy(Path from, String to) throws IOException {
    Path file = directory.resolve(to);
    Files.createDirectories(file.getParent());
    return Files.copy(from, file);
  }

  private void copyTree(Path from, String to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        copy(each, to + "/" + from.relativize(each).toString().replace('\\', '/'));
      }
    }
  }

  /** Copies Netty to where the libraries are, and returns their names below a directory. */
  private List<Path> nettysTo(String place) throws IOException {
    List<Path> copies = new ArrayList<>();
    for (Path each : nettys) {
      copies.add(copy(each, place + "/" + each.getFileName()));
    }
    return copies;
  }

  private static String path(List<Path> places) {
    return places.stream().map(Path::toString).collect(joining(File.pathSeparator));
  }

  private String names(List<Path> jars, String prefix) {
    return jars.stream().map(jar -> prefix + jar.getFileName()).collect(joining(" "));
  }

  private ForkedJvm jvm() {
    return new ForkedJvm(directory).java(SETTING.java()).agent("report=flows.json,sample=1");
  }

  private void assertFound(ForkedJvm.Result result) throws IOException {
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(FlowsFile.read(directory.resolve("flows.json")).summaries())
        .as(String.join("\n", result.agentLines()))
        .containsExactly(PASSED);
  }

  /** Its plugin {@code application} makes a script with the jars in order. */
  @Test
  void gradleWithSeveralModules() throws Exception {
    List<Path> libraries = new ArrayList<>();
    libraries.add(jar("lib/shop.jar", List.of(main)));
    libraries.add(copy(codec, "lib/codec.jar"));
    libraries.addAll(nettysTo("lib"));
    assertFound(jvm().runCommand("-classpath", path(libraries), "org.buftrail.shop.Main"));
  }

  @Test
  void ktorUnderTheScriptOfGradle() throws Exception {
    List<Path> libraries = new ArrayList<>();
    libraries.add(jar("lib/shop.jar", List.of(main)));
    libraries.add(jar("lib/ktor.jar", List.of(launcher("io.ktor.server.netty.EngineMain"))));
    libraries.add(copy(codec, "lib/codec.jar"));
    libraries.addAll(nettysTo("lib"));
    assertFound(jvm().runCommand("-classpath", path(libraries), "io.ktor.server.netty.EngineMain"));
  }

  /** As a container does that has all jars in one directory. */
  @Test
  void ktorWithItsJarsInNoOrder() throws Exception {
    Path shop = directory.resolve("compiled/main");
    Files.writeString(
        shop.resolve("application.yaml"), "modules:\n  - org.buftrail.shop.Main.main");
    List<Path> libraries = new ArrayList<>();
    libraries.add(jar("lib/ktor.jar", List.of(launcher("io.ktor.server.netty.EngineMain"))));
    libraries.addAll(nettysTo("lib"));
    libraries.add(copy(codec, "lib/codec.jar"));
    libraries.add(jar("lib/shop.jar", List.of(main)));
    assertFound(jvm().runCommand("-classpath", path(libraries), "io.ktor.server.netty.EngineMain"));
  }

  /** The directory of its configuration comes first. */
  @Test
  void playUnderTheScriptOfSbt() throws Exception {
    List<Path> libraries = new ArrayList<>();
    libraries.add(Files.createDirectories(directory.resolve("conf")));
    Files.writeString(directory.resolve("conf/application.conf"), "play {}");
    libraries.add(jar("lib/com.acme.shop-1.0-sans-externalized.jar", List.of(main)));
    libraries.add(jar("lib/play.jar", List.of(launcher("play.core.server.ProdServerStart"))));
    libraries.add(copy(codec, "lib/com.acme.codec-1.0.jar"));
    libraries.addAll(nettysTo("lib"));
    assertFound(jvm().runCommand("-cp", path(libraries), "play.core.server.ProdServerStart"));
  }

  /** Sbt's jar for class paths that are too long holds nothing but their names. */
  @Test
  void playUnderTheLaunchersJarOfSbt() throws Exception {
    jar("lib/shop.jar", List.of(main));
    jar("lib/play.jar", List.of(launcher("play.core.server.ProdServerStart")));
    copy(codec, "lib/codec.jar");
    String names = "shop.jar play.jar codec.jar " + names(nettysTo("lib"), "");
    Path start =
        jar(
            "lib/shop-launcher.jar",
            List.of(),
            "Main-Class",
            "play.core.server.ProdServerStart",
            "Class-Path",
            names);
    assertFound(jvm().runCommand("-jar", start.toString()));
  }

  @Test
  void quarkusFastJar() throws Exception {
    jar("quarkus-app/app/shop.jar", List.of(main));
    copy(codec, "quarkus-app/app/codec.jar");
    List<String> places =
        new ArrayList<>(List.of("quarkus-app/app/shop.jar", "quarkus-app/app/codec.jar"));
    for (Path each : nettysTo("quarkus-app/lib/main")) {
      places.add("quarkus-app/lib/main/" + each.getFileName());
    }
    String entry = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";
    Path run =
        jar(
            "quarkus-app/quarkus-run.jar",
            List.of(loadingLauncher(entry, places.toArray(new String[0]))),
            "Main-Class",
            entry);
    assertFound(jvm().runCommand("-jar", run.toString()));
  }

  /** The type {@code legacy-jar}: the application lies beside what Quarkus has made of it. */
  @Test
  void quarkusLegacyJar() throws Exception {
    copy(codec, "lib/codec.jar");
    String entry = "io.quarkus.runner.GeneratedMain";
    Path run =
        jar(
            "shop-runner.jar",
            List.of(launcher(entry), main),
            "Main-Class",
            entry,
            "Class-Path",
            "lib/codec.jar " + names(nettysTo("lib"), "lib/"));
    assertFound(jvm().runCommand("-jar", run.toString()));
  }

  /** As {@code java -Djarmode=tools -jar shop.jar extract} leaves it. */
  @Test
  void springBootExtracted() throws Exception {
    copy(codec, "shop/lib/codec.jar");
    Path shop =
        jar(
            "shop/shop.jar",
            List.of(main),
            "Main-Class",
            "org.buftrail.shop.Main",
            "Class-Path",
            "lib/codec.jar " + names(nettysTo("shop/lib"), "lib/"));
    assertFound(jvm().runCommand("-jar", shop.toString()));
  }

  /** In a directory, as in images with a layer for each kind of class. */
  @Test
  void springBootUnpacked() throws Exception {
    unpack(Setting.loading("spring-boot-loader.jar"), "app");
    copyTree(main, "app/BOOT-INF/classes");
    copy(codec, "app/BOOT-INF/lib/codec.jar");
    nettysTo("app/BOOT-INF/lib");
    Files.createDirectories(directory.resolve("app/META-INF"));
    Files.writeString(
        directory.resolve("app/META-INF/MANIFEST.MF"),
        """
        Manifest-Version: 1.0
        Start-Class: org.buftrail.shop.Main
        Spring-Boot-Classes: BOOT-INF/classes/
        Spring-Boot-Lib: BOOT-INF/lib/
        """);
    assertFound(
        jvm()
            .runCommand(
                "-cp",
                directory.resolve("app").toString(),
                "org.springframework.boot.loader.launch.JarLauncher"));
  }

  private void unpack(Path jar, String to) throws IOException {
    try (java.util.jar.JarInputStream in =
        new java.util.jar.JarInputStream(Files.newInputStream(jar))) {
      for (var entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
        if (entry.getName().endsWith(".class")) {
          Path file = directory.resolve(to).resolve(entry.getName());
          Files.createDirectories(file.getParent());
          Files.write(file, in.readAllBytes());
        }
      }
    }
  }

  /** {@code java -jar shop.war} with the server in it. */
  @Test
  void aWarThatStartsItself() throws Exception {
    Path war = directory.resolve("shop.war");
    try (Jars jars =
        new Jars(
            war,
            "Main-Class",
            "org.springframework.boot.loader.launch.WarLauncher",
            "Start-Class",
            "org.buftrail.shop.Main",
            "Spring-Boot-Classes",
            "WEB-INF/classes/",
            "Spring-Boot-Lib",
            "WEB-INF/lib/")) {
      jars.unpacked(Setting.loading("spring-boot-loader.jar"))
          .directories("WEB-INF/", "WEB-INF/classes/", "WEB-INF/lib/")
          .classes(main, "WEB-INF/classes/", "")
          .nested(List.of(codec), "WEB-INF/lib/")
          .nested(nettys, "WEB-INF/lib/");
    }
    assertFound(jvm().runCommand("-jar", war.toString()));
  }

  /** {@code catalina.sh} starts the server; the web application has a module of its own. */
  @Test
  void aWarInTomcat() throws Exception {
    copyTree(main, "web apps/shop/WEB-INF/classes");
    copy(codec, "web apps/shop/WEB-INF/lib/codec.jar");
    List<String> places =
        new ArrayList<>(
            List.of("web apps/shop/WEB-INF/classes", "web apps/shop/WEB-INF/lib/codec.jar"));
    for (Path each : nettysTo("web apps/shop/WEB-INF/lib")) {
      places.add("web apps/shop/WEB-INF/lib/" + each.getFileName());
    }
    String entry = "org.apache.catalina.startup.Bootstrap";
    Path start =
        jar("bin/bootstrap.jar", List.of(loadingLauncher(entry, places.toArray(new String[0]))));
    Path juli = jar("bin/tomcat-juli.jar", List.of());
    assertFound(jvm().runCommand("-classpath", path(List.of(start, juli)), entry, "start"));
  }

  /** The module says itself what its main class is. */
  @Test
  void modules() throws Exception {
    copy(codec, "mods/codec.jar");
    nettysTo("mods");
    copyTree(moduleOfTheApplication("codec; requires io.netty.buffer"), "mods/shop");
    assertFound(jvm().runCommand("-p", directory.resolve("mods").toString(), "-m", "shop.app"));
  }

  private Path moduleOfTheApplication(String codecModule) throws IOException {
    Path classes = directory.resolve("compiled/main");
    compile(
        "main",
        "module shop.app { requires " + codecModule + "; }",
        "-p",
        path(List.of(directory.resolve("mods"))));
    Path described = directory.resolve("described.jar");
    run("jar", "-c", "-f", described, "-e", "org.buftrail.shop.Main", "-C", classes, ".");
    unpack(described, "compiled/described");
    return directory.resolve("compiled/described");
  }

  private static void run(String tool, Object... arguments) {
    StringWriter said = new StringWriter();
    java.io.PrintWriter out = new java.io.PrintWriter(said);
    String[] texts = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    int exit = ToolProvider.findFirst(tool).orElseThrow().run(out, out, texts);
    assertThat(exit).as(said.toString()).isZero();
  }

  /** All modules are in the file of the JVM; it has no path to any. */
  @Test
  void anImageOfJlink() throws Exception {
    nettysTo("mods");
    Path module = directory.resolve("compiled/codec");
    try (Jars jars = new Jars(directory.resolve("plain.jar"))) {
      jars.classes(Setting.PROGRAMS, "", "org/buftrail/it/programs/PassThrough.class")
          .classes(Setting.PROGRAMS, "", "org/buftrail/it/programs/Allocators");
    }
    unpack(directory.resolve("plain.jar"), "compiled/codec");
    compile(
        "codec",
        "module org.buftrail.codec { requires io.netty.buffer; exports org.buftrail.it.programs; }",
        "-p",
        directory.resolve("mods").toString());
    run("jar", "-c", "-f", directory.resolve("mods/codec.jar"), "-C", module, ".");
    copyTree(moduleOfTheApplication("org.buftrail.codec"), "mods/shop");
    Path image = directory.resolve("image");
    run(
        "jlink",
        "-p",
        directory.resolve("mods"),
        "--add-modules",
        "shop.app,java.instrument,java.management,jdk.unsupported,jdk.jfr",
        "--output",
        image);
    assertFound(jvm().java(image.resolve("bin/java")).runCommand("-m", "shop.app"));
  }

  /** One that nobody knows, which is told what to start, among more than one application has. */
  @Test
  void anyLauncherThatIsToldTheClass() throws Exception {
    List<Path> libraries = new ArrayList<>();
    libraries.add(jar("lib/launch.jar", List.of(launcher("launch.engine.Launch"))));
    libraries.add(jar("lib/shop.jar", List.of(main)));
    libraries.add(copy(codec, "lib/codec.jar"));
    libraries.addAll(nettysTo("lib"));
    Path many = directory.resolve("lib/many.jar");
    try (Jars jars = new Jars(many)) {
      for (int i = 0; i < 21; i++) {
        jars.directories("org/lib" + i + "/A.class");
      }
    }
    libraries.add(many);
    assertFound(
        jvm()
            .runCommand(
                "-cp", path(libraries), "launch.engine.Launch", "org.buftrail.shop.Main", "80"));
  }

  /** One that nobody knows, with a class loader of its own for what lies beside it. */
  @Test
  void anyLauncherBesideTheApplication() throws Exception {
    jar("lib/shop.jar", List.of(main));
    copy(codec, "lib/codec.jar");
    List<String> places = new ArrayList<>(List.of("lib/shop.jar", "lib/codec.jar"));
    for (Path each : nettysTo("lib")) {
      places.add("lib/" + each.getFileName());
    }
    Path start =
        jar(
            "start.jar",
            List.of(loadingLauncher("launch.engine.Launch", places.toArray(new String[0]))),
            "Main-Class",
            "launch.engine.Launch");
    copy(Setting.JAR, "lib/buftrail.jar");
    assertFound(jvm().runCommand("-jar", start.toString()));
  }

  @Test
  void aSourceThatJavaCompiles() throws Exception {
    String text =
        Files.readString(Path.of("src/main/java/org/buftrail/it/programs/PassThrough.java"))
            .replace("package org.buftrail.it.programs;", "")
            .replace(
                "Allocators.named(args[0])", "new io.netty.buffer.UnpooledByteBufAllocator(true)");
    Path source = Files.writeString(directory.resolve("PassThrough.java"), text);
    assertFound(
        jvm().runCommand("-cp", path(nettys), source.toString(), "unpooled", "direct", "100"));
  }
}
