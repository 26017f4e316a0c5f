# The command line in an image: docker build -t buftrail . && docker run --rm -v "$PWD:/work" buftrail convert recording.jfr
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN mvn --batch-mode --no-transfer-progress -DskipTests -pl dist,sql -am package

FROM eclipse-temurin:25-jre
COPY --from=build /src/dist/target/buftrail.jar /src/sql/target/jars/ /opt/buftrail/
WORKDIR /work
ENTRYPOINT ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", "/opt/buftrail/buftrail.jar"]
