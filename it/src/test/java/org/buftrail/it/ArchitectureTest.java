package org.buftrail.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which way the modules depend, and what is kept out of each. */
final class ArchitectureTest {
  /** Read once, for other tests too. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/it/target/"))
          // These jars carry others' classes, some of them rewritten.
          .withImportOption(
              location ->
                  !location.contains("buftrail-junit") || location.contains("/org/buftrail/junit/"))
          .withImportOption(
              location ->
                  !location.contains("buftrail-spark") || location.contains("/org/buftrail/spark/"))
          .importPackages("org.buftrail");

  /** The most classes that may need each other in a circle. */
  private static final int LARGEST_CIRCLE = 8;

  /** Those of the runtime; the last is what applications may call. */
  private static final List<String> RUNTIME =
      List.of(
          "org.buftrail.flow.base",
          "org.buftrail.flow.tree",
          "org.buftrail.flow.state",
          "org.buftrail.flow.scope",
          "org.buftrail.flow.nursery",
          "org.buftrail.flow.woven",
          "org.buftrail.flow.census",
          "org.buftrail.flow.control",
          "org.buftrail.flow");

  /** The packages of the converter, each of which may know those before it; the last knows all. */
  private static final List<String> CONVERTER =
      List.of(
          "org.buftrail.jfr.packing",
          "org.buftrail.jfr.kinds",
          "org.buftrail.jfr.table",
          "org.buftrail.jfr.file",
          "org.buftrail.jfr.input",
          "org.buftrail.jfr.schema",
          "org.buftrail.jfr.stacks",
          "org.buftrail.jfr.constants",
          "org.buftrail.jfr.events",
          "org.buftrail.jfr.process",
          "org.buftrail.jfr.rows",
          "org.buftrail.jfr.parquet",
          "org.buftrail.jfr.dataset",
          "org.buftrail.jfr.chunk",
          "org.buftrail.jfr.samples",
          "org.buftrail.jfr.merge",
          "org.buftrail.jfr");

  /** Those of the command line. */
  private static final List<String> COMMAND_LINE =
      List.of(
          "org.buftrail.cli.demo",
          "org.buftrail.cli.live",
          "org.buftrail.cli.memory",
          "org.buftrail.cli.diff",
          "org.buftrail.cli.shape",
          "org.buftrail.console.input",
          "org.buftrail.console.output",
          "org.buftrail.console.engine",
          "org.buftrail.cli.options",
          "org.buftrail.cli.watch",
          "org.buftrail.cli.commands",
          "org.buftrail.cli");

  @Test
  void theRuntimesRoomsLieOneAboveTheOther() {
    knowOnlyWhatLiesBelow(RUNTIME);
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
        .filteredOn(name -> name.startsWith("org.buftrail.flow"))
        .as("each has its place in the list")
        .hasSameElementsAs(RUNTIME);
    noClasses()
        .that()
        .resideInAPackage("org.buftrail.flow.census")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.buftrail.flow.woven")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("org.buftrail.junit..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.buftrail.flow.*..")
        .check(CLASSES);
  }

  /** Every member of it that others see would be a member of Netty's {@code ByteBuf} too. */
  @Test
  void theSuperclassOfBuffersAddsNoNamesToThem() {
    JavaClass added = CLASSES.get("org.buftrail.flow.state.TrackedBuffer");
    Set<String> ofBuffers = Set.of("refCnt", "capacity", "isDirect");
    assertThat(added.getMembers())
        .isNotEmpty()
        .filteredOn(member -> !member.getName().matches("<.*init>|buftrail\\$\\w+"))
        .filteredOn(member -> !ofBuffers.contains(member.getName()))
        .allMatch(
            member ->
                !member.getModifiers().contains(JavaModifier.PUBLIC)
                    && !member.getModifiers().contains(JavaModifier.PROTECTED));
  }

  @Test
  void theConvertersRoomsLieOneAboveTheOther() {
    knowOnlyWhatLiesBelow(CONVERTER);
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
        .filteredOn(name -> name.startsWith("org.buftrail.jfr"))
        .as("each has its place in the list")
        .hasSameElementsAs(CONVERTER);
  }

  /** Its package holds what programs may call, and nothing else. */
  @Test
  void theConvertersRootIsItsInterfaceAlone() {
    classes()
        .that()
        .resideInAPackage("org.buftrail.jfr")
        .and()
        .areTopLevelClasses()
        .and()
        .doNotHaveSimpleName("package-info")
        .should()
        .bePublic()
        .check(CLASSES);
  }

  @Test
  void theCommandLinesRoomsLieOneAboveTheOther() {
    knowOnlyWhatLiesBelow(COMMAND_LINE);
  }

  private static void knowOnlyWhatLiesBelow(List<String> rooms) {
    for (int room = 0; room < rooms.size() - 1; room++) {
      List<String> above = rooms.subList(room + 1, rooms.size());
      noClasses()
          .that()
          .resideInAPackage(rooms.get(room))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(above.toArray(new String[0]))
          .check(CLASSES);
    }
  }

  @Test
  void dependenciesPointOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("org.buftrail..")
        .layer("model")
        .definedBy("org.buftrail.model..")
        .layer("flow")
        .definedBy("org.buftrail.flow..")
        .layer("profile")
        .definedBy("org.buftrail.profile..")
        .layer("report")
        .definedBy("org.buftrail.report..", "org.buftrail.options..")
        .layer("jfr")
        .definedBy("org.buftrail.jfr..")
        .layer("agent")
        .definedBy("org.buftrail.agent..")
        .layer("console")
        .definedBy("org.buftrail.console..")
        .layer("cli")
        .definedBy("org.buftrail.cli..")
        .layer("sql")
        .definedBy("org.buftrail.sql..")
        .layer("spark")
        .definedBy("org.buftrail.spark..")
        .layer("metrics")
        .definedBy("org.buftrail.metrics..")
        .layer("boot")
        .definedBy("org.buftrail.boot..")
        .layer("junit")
        .definedBy("org.buftrail.junit..")
        .layer("examples")
        .definedBy("org.buftrail.examples..")
        .whereLayer("model")
        .mayNotAccessAnyLayer()
        .whereLayer("flow")
        .mayOnlyAccessLayers("model")
        .whereLayer("profile")
        .mayNotAccessAnyLayer()
        .whereLayer("report")
        .mayOnlyAccessLayers("model", "profile")
        .whereLayer("jfr")
        .mayOnlyAccessLayers("profile")
        .whereLayer("agent")
        .mayOnlyAccessLayers("model", "flow", "profile", "report")
        .whereLayer("console")
        .mayOnlyAccessLayers("model", "profile", "report", "jfr")
        .whereLayer("cli")
        .mayOnlyAccessLayers("model", "profile", "report", "jfr", "console")
        .whereLayer("sql")
        .mayOnlyAccessLayers("profile", "jfr", "console")
        .whereLayer("spark")
        .mayOnlyAccessLayers("profile", "jfr")
        .whereLayer("metrics")
        .mayOnlyAccessLayers("model")
        .whereLayer("boot")
        .mayNotAccessAnyLayer()
        .whereLayer("junit")
        .mayOnlyAccessLayers("model", "flow", "profile", "report", "boot")
        .whereLayer("examples")
        .mayNotAccessAnyLayer()
        .check(CLASSES);
  }

  @Test
  void packagesAreFreeOfCycles() {
    SlicesRuleDefinition.slices()
        .matching("org.buftrail.(**)")
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  /**
   * Classes that need each other in a circle can only be understood together: eight at most, nested
   * ones counted with those around them.
   */
  @Test
  void circlesOfClassesAreSmall() {
    Map<String, Set<String>> needs = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      Set<String> needed = needs.computeIfAbsent(outermost(type), name -> new TreeSet<>());
      type.getDirectDependenciesFromSelf()
          .forEach(needing -> needed.add(outermost(needing.getTargetClass())));
    }
    List<Set<String>> circles = new Circles(needs).all();
    assertThat(circles).as("circles that are known").isNotEmpty();
    for (Set<String> circle : circles) {
      assertThat(circle).hasSizeLessThanOrEqualTo(LARGEST_CIRCLE);
    }
  }

  private static String outermost(JavaClass type) {
    return type.getBaseComponentType().getName().replaceFirst("\\$.*", "");
  }

  /** JSON is made of what was written, what is read may be JSON, and what is checked was read. */
  @Test
  void roomsOfOpenTelemetryProfilesPointOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("org.buftrail.profile.otlp..")
        .layer("schema")
        .definedBy("org.buftrail.profile.otlp", "org.buftrail.profile.otlp.schema")
        .layer("write")
        .definedBy("org.buftrail.profile.otlp.write")
        .layer("json")
        .definedBy("org.buftrail.profile.otlp.json")
        .layer("read")
        .definedBy("org.buftrail.profile.otlp.read")
        .layer("check")
        .definedBy("org.buftrail.profile.otlp.check")
        .whereLayer("schema")
        .mayNotAccessAnyLayer()
        .whereLayer("write")
        .mayOnlyAccessLayers("schema")
        .whereLayer("json")
        .mayOnlyAccessLayers("schema", "write")
        .whereLayer("read")
        .mayOnlyAccessLayers("schema", "json")
        .whereLayer("check")
        .mayOnlyAccessLayers("schema", "read")
        .check(CLASSES);
  }

  @Test
  void theRuntimeAndTheProfileNeedTheJdkAlone() {
    classes()
        .that(
            resideInAnyPackage(
                "org.buftrail.model..", "org.buftrail.flow..", "org.buftrail.boot.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "org.buftrail.model..",
                "org.buftrail.flow..",
                "org.buftrail.boot..",
                "java..",
                "javax.management..",
                "org.jspecify.."))
        .check(CLASSES);
    classes()
        .that(resideInAnyPackage("org.buftrail.profile.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "org.buftrail.profile..", "java..", "javax.net.ssl", "org.jspecify.."))
        .check(CLASSES);
  }

  @Test
  void onlyTheTerminalPrints() {
    noClasses()
        .that(
            resideInAnyPackage(
                "org.buftrail.profile..",
                "org.buftrail.jfr..",
                "org.buftrail.console..",
                "org.buftrail.cli..",
                "org.buftrail.sql..",
                "org.buftrail.spark..",
                "org.buftrail.model..",
                "org.buftrail.flow.."))
        .and()
        .doNotHaveFullyQualifiedName("org.buftrail.cli.Main")
        .and()
        .doNotHaveFullyQualifiedName("org.buftrail.console.output.Terminal")
        .and()
        .doNotHaveFullyQualifiedName("org.buftrail.spark.FleetJob")
        .should(ACCESS_STANDARD_STREAMS)
        .check(CLASSES);
  }

  @Test
  void theRuntimeDoesNotLog() {
    noClasses()
        .that(resideInAnyPackage("org.buftrail.model..", "org.buftrail.flow.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage("java.util.logging.."))
        .because("it runs inside every allocation of the application")
        .check(CLASSES);
  }

  @Test
  void namesSayWhatAThingIs() {
    noClasses()
        .that()
        .areTopLevelClasses()
        .should()
        .haveNameMatching(".*(Manager|Helper|Utils?|Data|Info|Impl|Processor)")
        .check(CLASSES);
  }
}
